ALTER TABLE "links" ADD COLUMN "former_hostname" text;--> statement-breakpoint
-- Links of domains that were deleted before: their first revision says which domain it was, and the audit log what it was called.
UPDATE links SET former_hostname = audit_logs.changes -> 'hostname' ->> 'from'
FROM link_revisions, audit_logs
WHERE links.deleted_at IS NOT NULL AND links.domain_id = (SELECT id FROM domains WHERE org_id IS NULL)
	AND link_revisions.link_id = links.id AND link_revisions.version = 1
	AND audit_logs.org_id = links.org_id AND audit_logs.action = 'domain.delete'
	AND audit_logs.resource_id = link_revisions.snapshot ->> 'domainId';
