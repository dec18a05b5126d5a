CREATE TABLE "erased_visits" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"erased_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "erased_visits_erased_at" ON "erased_visits" USING btree ("erased_at");