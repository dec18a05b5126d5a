ALTER TABLE "imports" ADD COLUMN "credentials" "bytea";--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "fetched" jsonb;