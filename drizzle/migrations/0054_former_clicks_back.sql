ALTER TABLE "import_rows" ADD COLUMN "clicks_replaced" bigint;
