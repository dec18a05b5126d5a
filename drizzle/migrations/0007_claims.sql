CREATE TABLE "claims" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"install_id" uuid NOT NULL,
	"open_id" uuid NOT NULL,
	"provider" text,
	"answer" jsonb NOT NULL,
	"clicked_at" timestamp (3) with time zone NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "claims_org" ON "claims" USING btree ("org_id","claimed_at");