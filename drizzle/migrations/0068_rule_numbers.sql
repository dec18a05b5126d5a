ALTER TABLE "clicks" ADD COLUMN "rule_number" integer;--> statement-breakpoint
ALTER TABLE "links" ADD COLUMN "next_rule_number" integer DEFAULT 50 NOT NULL;