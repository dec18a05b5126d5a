CREATE TABLE "import_chunks" (
	"import_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"org_id" uuid NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "import_chunks_import_id_number_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "import_rows" (
	"import_id" uuid NOT NULL,
	"row" integer NOT NULL,
	"part" smallint NOT NULL,
	"org_id" uuid NOT NULL,
	"address" text NOT NULL,
	"result" text NOT NULL,
	"link_id" uuid,
	"why" text,
	"dropped" jsonb,
	"clicks_before" bigint,
	"differences" jsonb,
	CONSTRAINT "import_rows_import_id_row_part_pk" PRIMARY KEY("import_id","row","part")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"file" jsonb NOT NULL,
	"options" jsonb NOT NULL,
	"actor" jsonb NOT NULL,
	"task" text DEFAULT 'import' NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"cursor" integer DEFAULT 0 NOT NULL,
	"progress" double precision DEFAULT 0 NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"error" text,
	"is_forced" boolean DEFAULT false NOT NULL,
	"leased_by" uuid,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "links" ADD COLUMN "imported_source" text;--> statement-breakpoint
ALTER TABLE "links" ADD COLUMN "imported_id" text;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_chunks_age" ON "import_chunks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "import_rows_org" ON "import_rows" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "imports_org" ON "imports" USING btree ("org_id","id");--> statement-breakpoint
CREATE INDEX "imports_open" ON "imports" USING btree ("id") WHERE "imports"."status" in ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "links_imported" ON "links" USING btree ("org_id","imported_source","imported_id") WHERE "links"."deleted_at" is null and "links"."imported_id" is not null;