ALTER TABLE "links" ADD COLUMN "destinations_ask_at" timestamp (3) with time zone DEFAULT now();--> statement-breakpoint
CREATE INDEX "links_destinations_ask" ON "links" USING btree ("org_id","destinations_ask_at") WHERE "links"."destinations_ask_at" is not null and "links"."deleted_at" is null and "links"."kind" = 'link';--> statement-breakpoint
-- Whoever changes where a link leads, or lets it serve again, asks for its destinations, whether or not anyone visits it.
CREATE FUNCTION ask_for_destinations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.destinations_ask_at := now();
	RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER links_destinations_changed BEFORE UPDATE OF default_url, rules, split_targets, cta_overlay, is_active, expires_at ON links
FOR EACH ROW WHEN (NEW.kind = 'link' AND (OLD.default_url, OLD.rules, OLD.split_targets, OLD.cta_overlay, OLD.is_active, OLD.expires_at)
	IS DISTINCT FROM (NEW.default_url, NEW.rules, NEW.split_targets, NEW.cta_overlay, NEW.is_active, NEW.expires_at))
EXECUTE FUNCTION ask_for_destinations();--> statement-breakpoint
CREATE TRIGGER links_destinations_safe_again BEFORE UPDATE OF safety ON links
FOR EACH ROW WHEN (NEW.kind = 'link' AND OLD.safety ->> 'status' = 'unsafe' AND NEW.safety ->> 'status' <> 'unsafe')
EXECUTE FUNCTION ask_for_destinations();
