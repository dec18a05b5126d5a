CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "app_profiles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"name" text NOT NULL,
	"path_prefix" text,
	"ios" jsonb,
	"android" jsonb,
	"fallback" text DEFAULT 'store' NOT NULL,
	"icon_url" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_logs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"action" text NOT NULL,
	"resource_type" text NOT NULL,
	"resource_id" text NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_email" text,
	"ip" text,
	"user_agent" text,
	"changes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clicks" (
	"id" uuid NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"visitor" bigint NOT NULL,
	"platform" text NOT NULL,
	"device_type" text,
	"device_vendor" text,
	"device_model" text,
	"browser" text,
	"os" text,
	"os_version" text,
	"country" text,
	"region" text,
	"city" text,
	"language" text,
	"referrer" text,
	"utm_source" text,
	"utm_medium" text,
	"utm_campaign" text,
	"utm_term" text,
	"utm_content" text,
	"route_kind" text NOT NULL,
	"rule_index" smallint,
	"split_key" text,
	"destination_url" text NOT NULL,
	"is_bot" boolean NOT NULL,
	"bot_reasons" text[] NOT NULL,
	"spam_score" smallint NOT NULL,
	CONSTRAINT "clicks_occurred_at_id_pk" PRIMARY KEY("occurred_at","id")
) PARTITION BY RANGE ("occurred_at");
--> statement-breakpoint
CREATE TABLE "clicks_default" PARTITION OF "clicks" DEFAULT;
--> statement-breakpoint
CREATE TABLE "domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid,
	"hostname" text NOT NULL,
	"is_verified" boolean DEFAULT false NOT NULL,
	"is_primary" boolean DEFAULT false NOT NULL,
	"verification_token" text,
	"dashboard" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"app_config" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_admissions" (
	"link_id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"admitted" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_counters" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"writer" integer NOT NULL,
	"clicks" bigint DEFAULT 0 NOT NULL,
	"bot_clicks" bigint DEFAULT 0 NOT NULL,
	"last_click_at" timestamp (3) with time zone,
	CONSTRAINT "link_counters_link_id_writer_pk" PRIMARY KEY("link_id","writer")
);
--> statement-breakpoint
CREATE TABLE "link_revisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"changed_by" uuid,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changes" jsonb NOT NULL,
	"snapshot" jsonb NOT NULL,
	CONSTRAINT "link_revisions_version" UNIQUE("link_id","version")
);
--> statement-breakpoint
CREATE TABLE "links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" bigserial NOT NULL,
	"org_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"app_profile_id" uuid,
	"slug" text NOT NULL,
	"slug_key" text NOT NULL,
	"path_prefix" text DEFAULT '' NOT NULL,
	"prefix_key" text DEFAULT '' NOT NULL,
	"title" text,
	"default_url" text NOT NULL,
	"rules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"split_targets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"deep_link_payload" jsonb,
	"utm" jsonb,
	"marketing" jsonb,
	"lead_capture" jsonb,
	"retargeting_pixels" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"cta_overlay" jsonb,
	"starts_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"max_clicks" integer,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"password_hash" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"safety" jsonb DEFAULT '{"status":"unknown","reasons":[]}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "links_number_unique" UNIQUE("number")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_org_user" UNIQUE("org_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "opens" (
	"id" uuid NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"visitor" bigint NOT NULL,
	"source" text NOT NULL,
	"platform" text NOT NULL,
	"is_bot" boolean NOT NULL,
	CONSTRAINT "opens_occurred_at_id_pk" PRIMARY KEY("occurred_at","id")
) PARTITION BY RANGE ("occurred_at");
--> statement-breakpoint
CREATE TABLE "opens_default" PARTITION OF "opens" DEFAULT;
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"branding" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"plan" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "rollups_daily" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"metric" text NOT NULL,
	"dimension" text NOT NULL,
	"value" text NOT NULL,
	"writer" integer NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "rollups_daily_pk" PRIMARY KEY("org_id","link_id","day","dimension","metric","value","writer")
);
--> statement-breakpoint
CREATE TABLE "rollups_hourly" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"metric" text NOT NULL,
	"dimension" text NOT NULL,
	"value" text NOT NULL,
	"writer" integer NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "rollups_hourly_pk" PRIMARY KEY("org_id","link_id","hour","dimension","metric","value","writer")
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "spools" (
	"id" uuid PRIMARY KEY NOT NULL,
	"writer" serial NOT NULL,
	"segment" integer DEFAULT 0 NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"applied" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "spools_writer_unique" UNIQUE("writer")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "visitor_sketches" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"is_bot" boolean NOT NULL,
	"writer" integer NOT NULL,
	"sketch" "bytea" NOT NULL,
	CONSTRAINT "visitor_sketches_org_id_link_id_hour_is_bot_writer_pk" PRIMARY KEY("org_id","link_id","hour","is_bot","writer")
);
--> statement-breakpoint
CREATE TABLE "visitor_sketches_daily" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"is_bot" boolean NOT NULL,
	"writer" integer NOT NULL,
	"sketch" "bytea" NOT NULL,
	CONSTRAINT "visitor_sketches_daily_org_id_link_id_day_is_bot_writer_pk" PRIMARY KEY("org_id","link_id","day","is_bot","writer")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app_profiles" ADD CONSTRAINT "app_profiles_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_org" ON "api_keys" USING btree ("org_id","id");--> statement-breakpoint
CREATE INDEX "app_profiles_org" ON "app_profiles" USING btree ("org_id","id");--> statement-breakpoint
CREATE INDEX "audit_logs_org" ON "audit_logs" USING btree ("org_id","id");--> statement-breakpoint
CREATE INDEX "audit_logs_org_resource" ON "audit_logs" USING btree ("org_id","resource_type","resource_id");--> statement-breakpoint
CREATE INDEX "clicks_org" ON "clicks" USING btree ("org_id","occurred_at");--> statement-breakpoint
CREATE INDEX "clicks_link" ON "clicks" USING btree ("link_id","occurred_at");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_verified_hostname" ON "domains" USING btree ("hostname") WHERE "domains"."is_verified";--> statement-breakpoint
CREATE UNIQUE INDEX "domains_shared" ON "domains" USING btree (("org_id" is null)) WHERE "domains"."org_id" is null;--> statement-breakpoint
CREATE INDEX "domains_org" ON "domains" USING btree ("org_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "links_address" ON "links" USING btree ("domain_id","prefix_key","slug_key") WHERE "links"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "links_org" ON "links" USING btree ("org_id","id") WHERE "links"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "links_tags" ON "links" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "opens_org" ON "opens" USING btree ("org_id","occurred_at");--> statement-breakpoint
CREATE INDEX "opens_link" ON "opens" USING btree ("link_id","occurred_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");