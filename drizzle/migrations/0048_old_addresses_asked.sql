ALTER TABLE "import_rows" ADD COLUMN "asked" jsonb;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "asks_old" boolean DEFAULT false NOT NULL;