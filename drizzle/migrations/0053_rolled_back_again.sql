ALTER TABLE "import_rows" ADD COLUMN "result_before" text;--> statement-breakpoint
-- What earlier rollbacks kept is known by the reason that they gave. What they removed is not asked for again.
UPDATE import_rows SET result_before = 'created'
WHERE result = 'kept' AND why IN ('it has been changed since', 'it had been deleted already');--> statement-breakpoint
UPDATE import_rows SET result_before = 'replaced'
WHERE result = 'kept' AND why = 'it was there before the import; its history has its earlier fields';
