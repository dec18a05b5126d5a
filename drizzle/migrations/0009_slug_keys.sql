-- Slugs and prefixes are compared after NFKC. The same as `slugKey` in `core/slug.ts` for every letter there is: what NFKC
-- writes in capitals beyond ASCII is listed, since how Postgres changes case is a matter of its locale.
CREATE OR REPLACE FUNCTION pg_temp.nfkc_key(key text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT normalize(translate(lower(normalize(key, NFKC) COLLATE "C"),
		U&'\0345\03A5\038E\03AB\03C2\00C6\018E\0222\0190\0393\03A0\0126\0131\0391\0392\0394\0395\0396\0397\0398\0399\039A\039B\039C\039D\039E\039F\03A1\03A3\03A4\03A6\03A7\03A8\03A9\03DC',
		U&'\03B9\03C5\03CD\03CB\03C3\00E6\01DD\0223\025B\03B3\03C0\0127\0069\03B1\03B2\03B4\03B5\03B6\03B7\03B8\03B9\03BA\03BB\03BC\03BD\03BE\03BF\03C1\03C3\03C4\03C6\03C7\03C8\03C9\03DD'), NFKC)
$$;
--> statement-breakpoint
-- The older of two that are one now has the new key. The other keeps its own, under which it goes on serving, and its
-- organization finds that in the audit log.
DO $$
DECLARE
	link record;
BEGIN
	FOR link IN
		SELECT id, org_id, kind, slug, prefix_key, slug_key FROM links
		WHERE deleted_at IS NULL AND (prefix_key IS NOT NFKC NORMALIZED OR slug_key IS NOT NFKC NORMALIZED)
		ORDER BY created_at, id
	LOOP
		BEGIN
			UPDATE links SET prefix_key = pg_temp.nfkc_key(prefix_key), slug_key = pg_temp.nfkc_key(slug_key) WHERE id = link.id;
		EXCEPTION WHEN unique_violation THEN
			RAISE WARNING 'the slug of link % reads like that of another on its domain', link.id;
			INSERT INTO audit_logs (id, org_id, action, resource_type, resource_id, actor_type, changes)
			VALUES (
				-- A UUIDv7, as entries are listed by their ids.
				(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
					|| substr(md5(random()::text), 1, 3) || '8' || substr(md5(link.id::text), 1, 15))::uuid,
				link.org_id, link.kind || '.slug_collision', link.kind, link.id::text, 'system',
				jsonb_build_object('slug', jsonb_build_object('from', link.slug, 'to', link.slug)));
		END;
	END LOOP;
END
$$;
