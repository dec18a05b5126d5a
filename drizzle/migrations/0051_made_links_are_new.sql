-- What is made has new ids, so nothing can be listed under them yet: looking for it first took a third of this. Tags come in the
-- order of their index, and one that a link has twice comes once.
CREATE OR REPLACE FUNCTION list_made_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO listed_links (org_id, link_id, searched, title_key, domain_id, is_archived, is_active, is_unsafe, starts_at,
		expires_at, max_clicks, tags)
	SELECT org_id, id, lower(concat_ws(E'\n', title, slug, default_url, notes)), lower(coalesce(nullif(title, ''), slug)), domain_id,
		is_archived, is_active, safety ->> 'status' = 'unsafe', starts_at, expires_at, max_clicks, tags
	FROM made WHERE kind = 'link' AND deleted_at IS NULL;
	INSERT INTO link_tags (org_id, tag, link_id)
	SELECT DISTINCT org_id, tag, id FROM made, unnest(tags) AS tag WHERE kind = 'link' AND deleted_at IS NULL
	ORDER BY org_id, tag, id;
	RETURN NULL;
END
$$;
