CREATE TABLE "sso_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hash" "bytea" NOT NULL,
	"org_id" uuid NOT NULL,
	"issuer" text NOT NULL,
	"user_id" uuid NOT NULL,
	"code_challenge" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sso_codes_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "sso_codes" ADD CONSTRAINT "sso_codes_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_codes" ADD CONSTRAINT "sso_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sso_codes_expires" ON "sso_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sso_codes_user" ON "sso_codes" USING btree ("user_id");