CREATE INDEX "destination_checks_dead" ON "destination_checks" USING btree ("org_id","link_id") WHERE "destination_checks"."status" <> 'ok' and "destination_checks"."failures" >= 2;--> statement-breakpoint
CREATE INDEX "links_misconfigured" ON "links" USING btree ("org_id","id") WHERE deleted_at is null and kind = 'link' and (
  safety ->> 'status' in ('unsafe', 'suspicious')
  or (split_targets <> '[]' and not jsonb_path_exists(split_targets, '$[*] ? (!(@.isActive == false) && !(@.weight <= 0))'))
  or expires_at <= greatest(starts_at, created_at));--> statement-breakpoint
CREATE INDEX "links_ruled" ON "links" USING btree ("org_id","updated_at") WHERE "links"."deleted_at" is null and "links"."kind" = 'link' and "links"."rules" <> '[]';