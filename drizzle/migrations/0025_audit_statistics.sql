-- Of four columns together there are too many combinations to keep the frequent ones: each filter by itself is what counts.
DROP STATISTICS audit_logs_filters;--> statement-breakpoint
CREATE STATISTICS audit_logs_org_action (mcv) ON org_id, action FROM audit_logs;--> statement-breakpoint
CREATE STATISTICS audit_logs_org_type (mcv) ON org_id, resource_type FROM audit_logs;--> statement-breakpoint
CREATE STATISTICS audit_logs_org_actor (mcv) ON org_id, actor_email FROM audit_logs;--> statement-breakpoint
ANALYZE audit_logs;
