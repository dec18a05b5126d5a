DROP INDEX "links_destinations_ask";--> statement-breakpoint
CREATE INDEX "links_unvisited" ON "links" USING btree ("org_id","destinations_ask_at") WHERE "links"."destinations_ask_at" is not null and "links"."deleted_at" is null;--> statement-breakpoint
-- The items of a bio page are destinations like those of a link.
CREATE OR REPLACE TRIGGER links_destinations_changed
BEFORE UPDATE OF default_url, expired_url, rules, split_targets, cta_overlay, is_active, expires_at ON links
FOR EACH ROW WHEN (
	(OLD.default_url, OLD.expired_url, OLD.rules, OLD.split_targets, OLD.cta_overlay, OLD.is_active, OLD.expires_at)
	IS DISTINCT FROM (NEW.default_url, NEW.expired_url, NEW.rules, NEW.split_targets, NEW.cta_overlay, NEW.is_active, NEW.expires_at))
EXECUTE FUNCTION ask_for_destinations();--> statement-breakpoint
CREATE OR REPLACE TRIGGER links_destinations_safe_again BEFORE UPDATE OF safety ON links
FOR EACH ROW WHEN (OLD.safety ->> 'status' = 'unsafe' AND NEW.safety ->> 'status' <> 'unsafe')
EXECUTE FUNCTION ask_for_destinations();
