CREATE INDEX "links_deleted_clicks_before" ON "links" USING btree ("imported_id","imported_source","org_id") WHERE "links"."deleted_at" is not null and "links"."clicks_before" is not null;
