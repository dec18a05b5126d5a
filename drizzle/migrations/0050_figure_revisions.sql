ALTER TABLE "figures_daily" ADD COLUMN "revision" bigint;--> statement-breakpoint
ALTER TABLE "figures_hourly" ADD COLUMN "revision" bigint;