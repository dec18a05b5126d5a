CREATE TABLE "deleted_organizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"routing_version" integer NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL
);
