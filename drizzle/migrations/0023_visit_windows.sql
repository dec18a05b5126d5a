CREATE UNLOGGED TABLE "visit_windows" (
	"org_id" uuid NOT NULL,
	"key" bigint NOT NULL,
	"minute" bigint NOT NULL,
	"marks" bigint[] NOT NULL,
	"noted" bigint[] NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "visit_windows_pk" PRIMARY KEY("org_id","key","minute")
);
--> statement-breakpoint
ALTER TABLE "claims" ADD COLUMN "click_id" uuid;--> statement-breakpoint
CREATE INDEX "claims_click" ON "claims" USING btree ("click_id") WHERE "claims"."click_id" is not null;