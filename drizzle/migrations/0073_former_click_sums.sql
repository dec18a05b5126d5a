CREATE TABLE "former_click_sums" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"links" integer NOT NULL,
	"clicks" bigint NOT NULL,
	"days" date[] NOT NULL,
	"counts" bigint[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "former_click_sums" ADD CONSTRAINT "former_click_sums_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;