CREATE TABLE "figure_fills" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"upgraded_on" timestamp (3) with time zone NOT NULL,
	"filled_from" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "figure_fills" ADD CONSTRAINT "figure_fills_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "figure_fills" ("org_id", "upgraded_on", "filled_from")
SELECT "id", date_trunc('day', now(), 'UTC'), date_trunc('day', now(), 'UTC') FROM "organizations";
