ALTER TABLE "links" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "links" ADD COLUMN "notes" text;--> statement-breakpoint
ALTER TABLE "links" ADD COLUMN "is_archived" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "listed_links" ADD COLUMN "title_key" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "listed_links" ADD COLUMN "domain_id" uuid;--> statement-breakpoint
ALTER TABLE "listed_links" ADD COLUMN "is_archived" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "listed_links" ADD COLUMN "is_active" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "listed_links" ADD COLUMN "is_unsafe" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "listed_links" ADD COLUMN "starts_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "listed_links" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "listed_links" ADD COLUMN "max_clicks" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "links_external_id" ON "links" USING btree ("org_id","external_id") WHERE "links"."deleted_at" is null and "links"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "listed_links_archived" ON "listed_links" USING btree ("org_id","is_archived","link_id");--> statement-breakpoint
-- As before, with what lists are narrowed and sorted by.
CREATE OR REPLACE FUNCTION keep_listed_link() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	is_listed boolean := TG_OP <> 'DELETE' AND NEW.kind = 'link' AND NEW.deleted_at IS NULL;
BEGIN
	IF TG_OP <> 'INSERT' THEN
		DELETE FROM link_tags WHERE org_id = OLD.org_id AND tag = ANY (OLD.tags) AND link_id = OLD.id
			AND NOT (is_listed AND tag = ANY (NEW.tags));
	END IF;
	IF is_listed THEN
		INSERT INTO listed_links AS listed (org_id, link_id, searched, title_key, domain_id, is_archived, is_active, is_unsafe,
			starts_at, expires_at, max_clicks)
		VALUES (NEW.org_id, NEW.id, lower(concat_ws(E'\n', NEW.title, NEW.slug, NEW.default_url, NEW.notes)),
			lower(coalesce(nullif(NEW.title, ''), NEW.slug)), NEW.domain_id, NEW.is_archived, NEW.is_active,
			NEW.safety ->> 'status' = 'unsafe', NEW.starts_at, NEW.expires_at, NEW.max_clicks)
		ON CONFLICT (org_id, link_id) DO UPDATE SET searched = excluded.searched, title_key = excluded.title_key,
			is_archived = excluded.is_archived, is_active = excluded.is_active, is_unsafe = excluded.is_unsafe,
			starts_at = excluded.starts_at, expires_at = excluded.expires_at, max_clicks = excluded.max_clicks
		WHERE (listed.searched, listed.title_key, listed.is_archived, listed.is_active, listed.is_unsafe, listed.starts_at,
			listed.expires_at, listed.max_clicks) IS DISTINCT FROM (excluded.searched, excluded.title_key, excluded.is_archived,
			excluded.is_active, excluded.is_unsafe, excluded.starts_at, excluded.expires_at, excluded.max_clicks);
		INSERT INTO link_tags (org_id, tag, link_id)
		SELECT NEW.org_id, tag, NEW.id FROM unnest(NEW.tags) AS tag ON CONFLICT DO NOTHING;
	ELSIF TG_OP <> 'INSERT' THEN
		DELETE FROM listed_links WHERE org_id = OLD.org_id AND link_id = OLD.id;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
DROP TRIGGER links_listed_updated ON links;--> statement-breakpoint
CREATE TRIGGER links_listed_updated
AFTER UPDATE OF title, notes, default_url, tags, is_archived, is_active, safety, starts_at, expires_at, max_clicks, deleted_at ON links
FOR EACH ROW WHEN (NEW.kind = 'link' AND (OLD.title, OLD.notes, OLD.default_url, OLD.tags, OLD.is_archived, OLD.is_active,
	OLD.safety ->> 'status', OLD.starts_at, OLD.expires_at, OLD.max_clicks, OLD.deleted_at)
	IS DISTINCT FROM (NEW.title, NEW.notes, NEW.default_url, NEW.tags, NEW.is_archived, NEW.is_active,
	NEW.safety ->> 'status', NEW.starts_at, NEW.expires_at, NEW.max_clicks, NEW.deleted_at))
EXECUTE FUNCTION keep_listed_link();--> statement-breakpoint
UPDATE listed_links AS listed SET title_key = lower(coalesce(nullif(links.title, ''), links.slug)),
	domain_id = links.domain_id, is_active = links.is_active, is_unsafe = links.safety ->> 'status' = 'unsafe',
	starts_at = links.starts_at, expires_at = links.expires_at, max_clicks = links.max_clicks
FROM links WHERE links.id = listed.link_id;--> statement-breakpoint
ANALYZE listed_links;
