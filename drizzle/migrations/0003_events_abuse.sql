CREATE TABLE "event_rollups_daily" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"name" text NOT NULL,
	"lane" smallint NOT NULL,
	"count" bigint NOT NULL,
	"value" numeric(38, 6) NOT NULL,
	CONSTRAINT "event_rollups_daily_org_id_link_id_day_name_lane_pk" PRIMARY KEY("org_id","link_id","day","name","lane")
);
--> statement-breakpoint
CREATE TABLE "event_rollups_hourly" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"name" text NOT NULL,
	"lane" smallint NOT NULL,
	"count" bigint NOT NULL,
	"value" numeric(38, 6) NOT NULL,
	CONSTRAINT "event_rollups_hourly_org_id_link_id_hour_name_lane_pk" PRIMARY KEY("org_id","link_id","hour","name","lane")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"org_id" uuid NOT NULL,
	"link_id" uuid,
	"name" text NOT NULL,
	"visitor_id" text,
	"value" numeric(20, 6),
	"metadata" jsonb,
	CONSTRAINT "events_occurred_at_id_pk" PRIMARY KEY("occurred_at","id")
) PARTITION BY RANGE ("occurred_at");
--> statement-breakpoint
CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;
--> statement-breakpoint
CREATE TABLE "idempotent_answers" (
	"org_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"answer" json,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotent_answers_org_id_operation_key_hash_pk" PRIMARY KEY("org_id","operation","key_hash")
);
--> statement-breakpoint
ALTER TABLE "clicks" ADD COLUMN "verdict" text;--> statement-breakpoint
ALTER TABLE "clicks" ADD COLUMN "reviewed_by" uuid;--> statement-breakpoint
ALTER TABLE "clicks" ADD COLUMN "reviewed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "clicks" ADD COLUMN "review_note" text;--> statement-breakpoint
ALTER TABLE "spools" ADD COLUMN "sketch_resets" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "events_org" ON "events" USING btree ("org_id","occurred_at");--> statement-breakpoint
CREATE INDEX "events_link" ON "events" USING btree ("link_id","occurred_at");--> statement-breakpoint
CREATE INDEX "idempotent_answers_created" ON "idempotent_answers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "clicks_abuse" ON "clicks" USING btree ("org_id","verdict","id") WHERE "clicks"."spam_score" >= 70;