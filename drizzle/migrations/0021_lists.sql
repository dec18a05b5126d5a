CREATE TABLE "link_tags" (
	"org_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"link_id" uuid NOT NULL,
	CONSTRAINT "link_tags_org_id_tag_link_id_pk" PRIMARY KEY("org_id","tag","link_id")
);
--> statement-breakpoint
CREATE TABLE "listed_links" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"searched" text NOT NULL,
	CONSTRAINT "listed_links_org_id_link_id_pk" PRIMARY KEY("org_id","link_id")
);
--> statement-breakpoint
DROP INDEX "audit_logs_org";--> statement-breakpoint
DROP INDEX "audit_logs_org_resource";--> statement-breakpoint
DROP INDEX "links_tags";--> statement-breakpoint
DROP INDEX "leads_link";--> statement-breakpoint
DROP INDEX "links_org";--> statement-breakpoint
CREATE INDEX "audit_logs_time" ON "audit_logs" USING btree ("org_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_action" ON "audit_logs" USING btree ("org_id","action","created_at","id","actor_email","resource_type");--> statement-breakpoint
CREATE INDEX "audit_logs_type" ON "audit_logs" USING btree ("org_id","resource_type","created_at","id","actor_email");--> statement-breakpoint
CREATE INDEX "audit_logs_actor" ON "audit_logs" USING btree ("org_id","actor_email","created_at","id","action","resource_type");--> statement-breakpoint
CREATE INDEX "leads_link" ON "leads" USING btree ("org_id","link_id","created_at","id","visitor_id");--> statement-breakpoint
CREATE INDEX "links_org" ON "links" USING btree ("org_id","kind","id") WHERE "links"."deleted_at" is null;--> statement-breakpoint
-- Keeps the rows that lists of links are read by. A link's own rows change in the order of its updates, which its row
-- of `links` is locked for.
CREATE FUNCTION keep_listed_link() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	is_listed boolean := TG_OP <> 'DELETE' AND NEW.kind = 'link' AND NEW.deleted_at IS NULL;
BEGIN
	IF TG_OP <> 'INSERT' THEN
		DELETE FROM link_tags WHERE org_id = OLD.org_id AND tag = ANY (OLD.tags) AND link_id = OLD.id
			AND NOT (is_listed AND tag = ANY (NEW.tags));
	END IF;
	IF is_listed THEN
		INSERT INTO listed_links (org_id, link_id, searched)
		VALUES (NEW.org_id, NEW.id, lower(concat_ws(E'\n', NEW.title, NEW.slug, NEW.default_url)))
		ON CONFLICT (org_id, link_id) DO UPDATE SET searched = excluded.searched
		WHERE listed_links.searched <> excluded.searched;
		INSERT INTO link_tags (org_id, tag, link_id)
		SELECT NEW.org_id, tag, NEW.id FROM unnest(NEW.tags) AS tag ON CONFLICT DO NOTHING;
	ELSIF TG_OP <> 'INSERT' THEN
		DELETE FROM listed_links WHERE org_id = OLD.org_id AND link_id = OLD.id;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER links_listed_inserted AFTER INSERT ON links
FOR EACH ROW WHEN (NEW.kind = 'link') EXECUTE FUNCTION keep_listed_link();--> statement-breakpoint
CREATE TRIGGER links_listed_updated AFTER UPDATE OF title, default_url, tags, deleted_at ON links
FOR EACH ROW WHEN (NEW.kind = 'link' AND (OLD.title, OLD.default_url, OLD.tags, OLD.deleted_at)
	IS DISTINCT FROM (NEW.title, NEW.default_url, NEW.tags, NEW.deleted_at))
EXECUTE FUNCTION keep_listed_link();--> statement-breakpoint
CREATE TRIGGER links_listed_deleted AFTER DELETE ON links
FOR EACH ROW WHEN (OLD.kind = 'link') EXECUTE FUNCTION keep_listed_link();--> statement-breakpoint
INSERT INTO listed_links (org_id, link_id, searched)
SELECT org_id, id, lower(concat_ws(E'\n', title, slug, default_url)) FROM links
WHERE kind = 'link' AND deleted_at IS NULL ORDER BY org_id, id;--> statement-breakpoint
INSERT INTO link_tags (org_id, tag, link_id)
SELECT org_id, tag, id FROM links, unnest(tags) AS tag
WHERE kind = 'link' AND deleted_at IS NULL ORDER BY org_id, tag, id ON CONFLICT DO NOTHING;--> statement-breakpoint
-- Long lists are estimated, by what is filtered together: an organization's tags, people and links are its own.
CREATE STATISTICS audit_logs_filters (mcv) ON org_id, action, resource_type, actor_email FROM audit_logs;--> statement-breakpoint
CREATE STATISTICS leads_org_link (dependencies) ON org_id, link_id FROM leads;--> statement-breakpoint
CREATE STATISTICS link_tags_org_tag (mcv) ON org_id, tag FROM link_tags;--> statement-breakpoint
ALTER STATISTICS link_tags_org_tag SET STATISTICS 1000;--> statement-breakpoint
ANALYZE listed_links, link_tags, audit_logs, leads;
