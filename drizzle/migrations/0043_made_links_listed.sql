-- Links that are made are listed by their statement, not row by row: an import makes a thousand in each.
CREATE FUNCTION list_made_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO listed_links (org_id, link_id, searched, title_key, domain_id, is_archived, is_active, is_unsafe, starts_at,
		expires_at, max_clicks)
	SELECT org_id, id, lower(concat_ws(E'\n', title, slug, default_url, notes)), lower(coalesce(nullif(title, ''), slug)), domain_id,
		is_archived, is_active, safety ->> 'status' = 'unsafe', starts_at, expires_at, max_clicks
	FROM made WHERE kind = 'link' AND deleted_at IS NULL
	ON CONFLICT DO NOTHING;
	INSERT INTO link_tags (org_id, tag, link_id)
	SELECT org_id, tag, id FROM made, unnest(tags) AS tag WHERE kind = 'link' AND deleted_at IS NULL
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END
$$;--> statement-breakpoint
DROP TRIGGER links_listed_inserted ON links;--> statement-breakpoint
CREATE TRIGGER links_listed_inserted AFTER INSERT ON links
REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION list_made_links();
