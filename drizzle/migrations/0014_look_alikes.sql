ALTER TABLE "links" ADD COLUMN "look_alike_key" text;--> statement-breakpoint
-- As `lookAlikeKey` in `core/look-alikes.ts` has it for ASCII. Of stored links that look alike the oldest has the key; the
-- others have none and go on serving, and their organizations find that in the audit log.
WITH keyed AS (
	SELECT l.id, l.org_id, l.kind, l.slug, alike.key,
		row_number() OVER (PARTITION BY l.domain_id, alike.key ORDER BY l.created_at, l.id) AS place
	FROM links l
	JOIN domains d ON d.id = l.domain_id AND d.org_id IS NULL
	CROSS JOIN LATERAL (
		SELECT replace(translate(concat_ws('/', nullif(l.prefix_key, ''), l.slug_key), '01i', 'oll'), 'm', 'rn') AS key
	) AS alike
	WHERE l.deleted_at IS NULL AND alike.key ~ '^[!-~]+$'
), told AS (
	INSERT INTO audit_logs (id, org_id, action, resource_type, resource_id, actor_type, changes)
	SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
			|| substr(md5(random()::text), 1, 3) || '8' || substr(md5(id::text), 1, 15))::uuid,
		org_id, kind || '.slug_collision', kind, id::text, 'system',
		jsonb_build_object('slug', jsonb_build_object('from', slug, 'to', slug))
	FROM keyed WHERE place > 1
)
UPDATE links SET look_alike_key = keyed.key FROM keyed WHERE links.id = keyed.id AND keyed.place = 1;--> statement-breakpoint
CREATE UNIQUE INDEX "links_look_alike" ON "links" USING btree ("domain_id","look_alike_key") WHERE "links"."deleted_at" is null and "links"."look_alike_key" is not null;