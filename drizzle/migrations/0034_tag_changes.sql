CREATE TABLE "tag_changes" (
	"org_id" uuid NOT NULL,
	"changed" "xid8" NOT NULL,
	"link_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tag_changes_org_id_changed_link_id_pk" PRIMARY KEY("org_id","changed","link_id")
);
--> statement-breakpoint
CREATE FUNCTION note_tag_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO tag_changes (org_id, changed, link_id) VALUES (OLD.org_id, pg_current_xact_id(), OLD.id)
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER links_tags_changed
AFTER UPDATE OF tags, deleted_at ON links
FOR EACH ROW WHEN (NEW.kind = 'link' AND (OLD.tags, OLD.deleted_at) IS DISTINCT FROM (NEW.tags, NEW.deleted_at))
EXECUTE FUNCTION note_tag_change();
