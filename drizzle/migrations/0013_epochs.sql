CREATE SEQUENCE "public"."epoch_ticks" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "epochs" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid NOT NULL,
	"signs" text NOT NULL,
	CONSTRAINT "epochs_only" CHECK ("epochs"."is_only")
);
