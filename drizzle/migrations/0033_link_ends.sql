ALTER TABLE "links" ADD COLUMN "expired_url" text;--> statement-breakpoint
-- Where visitors go after the end is a destination like the others.
CREATE OR REPLACE TRIGGER links_destinations_changed
BEFORE UPDATE OF default_url, expired_url, rules, split_targets, cta_overlay, is_active, expires_at ON links
FOR EACH ROW WHEN (NEW.kind = 'link' AND
	(OLD.default_url, OLD.expired_url, OLD.rules, OLD.split_targets, OLD.cta_overlay, OLD.is_active, OLD.expires_at)
	IS DISTINCT FROM (NEW.default_url, NEW.expired_url, NEW.rules, NEW.split_targets, NEW.cta_overlay, NEW.is_active, NEW.expires_at))
EXECUTE FUNCTION ask_for_destinations();
