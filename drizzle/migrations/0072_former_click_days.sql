CREATE TABLE "former_click_days" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"days" date[] NOT NULL,
	"counts" bigint[] NOT NULL,
	"total" bigint NOT NULL,
	"last_day" date NOT NULL,
	CONSTRAINT "former_click_days_link_id_import_id_pk" PRIMARY KEY("link_id","import_id")
);
--> statement-breakpoint
ALTER TABLE "former_click_days" ADD CONSTRAINT "former_click_days_link_id_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_click_days_last" ON "former_click_days" USING btree ("org_id","last_day");