ALTER TABLE "leads" ADD COLUMN "is_bot" boolean;--> statement-breakpoint
CREATE INDEX "leads_awaiting" ON "leads" USING btree ("org_id","id") WHERE "leads"."is_bot" is null;