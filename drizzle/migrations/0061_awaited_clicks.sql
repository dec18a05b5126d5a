ALTER TABLE "claims" ADD COLUMN "awaited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "claims" ADD COLUMN "awaited_end" text;--> statement-breakpoint
CREATE INDEX "claims_awaiting" ON "claims" USING btree ("org_id","token_hash") WHERE "claims"."awaited_at" is not null;--> statement-breakpoint
-- Installs of clicks that an earlier release confirmed as abuse still count as a bot's. They await their clicks once
-- more, to count like them. Claims are kept for 91 days.
DO $$
DECLARE
	ids uuid[];
	times timestamptz[];
BEGIN
	SELECT array_agg(id), array_agg(occurred_at) INTO ids, times FROM clicks
	WHERE spam_score >= 70 AND verdict = 'confirmed' AND occurred_at >= now() - interval '92 days';
	UPDATE claims SET awaited_at = confirmed.at, awaited_end = right(confirmed.id::text, 4)
	FROM unnest(ids, times) AS confirmed (id, at) WHERE click_id = confirmed.id;
END
$$;
