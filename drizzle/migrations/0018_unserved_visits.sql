CREATE TABLE "unserved_visits" (
	"org_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"domain_id" uuid NOT NULL,
	"is_bot" boolean NOT NULL,
	"writer" uuid NOT NULL,
	"counts" jsonb NOT NULL,
	CONSTRAINT "unserved_visits_pk" PRIMARY KEY("org_id","hour","domain_id","is_bot","writer")
);
--> statement-breakpoint
ALTER TABLE "unserved_visits" ADD CONSTRAINT "unserved_visits_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;