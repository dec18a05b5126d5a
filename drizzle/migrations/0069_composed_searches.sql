-- Searches compare composed letters (NFC), because keyboards write a letter and its accent together or apart. The functions are as
-- before otherwise.
CREATE OR REPLACE FUNCTION keep_listed_link() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	is_listed boolean := TG_OP <> 'DELETE' AND NEW.kind = 'link' AND NEW.deleted_at IS NULL;
BEGIN
	IF TG_OP <> 'INSERT' THEN
		DELETE FROM link_tags WHERE org_id = OLD.org_id AND tag = ANY (OLD.tags) AND link_id = OLD.id
			AND NOT (is_listed AND tag = ANY (NEW.tags));
	END IF;
	IF is_listed THEN
		INSERT INTO listed_links AS listed (org_id, link_id, searched, title_key, domain_id, is_archived, is_active, is_unsafe,
			starts_at, expires_at, max_clicks, tags)
		VALUES (NEW.org_id, NEW.id, lower(normalize(concat_ws(E'\n', NEW.title, NEW.slug, NEW.default_url, NEW.notes))),
			lower(coalesce(nullif(NEW.title, ''), NEW.slug)), NEW.domain_id, NEW.is_archived, NEW.is_active,
			NEW.safety ->> 'status' = 'unsafe', NEW.starts_at, NEW.expires_at, NEW.max_clicks, NEW.tags)
		ON CONFLICT (org_id, link_id) DO UPDATE SET searched = excluded.searched, title_key = excluded.title_key,
			is_archived = excluded.is_archived, is_active = excluded.is_active, is_unsafe = excluded.is_unsafe,
			starts_at = excluded.starts_at, expires_at = excluded.expires_at, max_clicks = excluded.max_clicks, tags = excluded.tags
		WHERE (listed.searched, listed.title_key, listed.is_archived, listed.is_active, listed.is_unsafe, listed.starts_at,
			listed.expires_at, listed.max_clicks, listed.tags) IS DISTINCT FROM (excluded.searched, excluded.title_key, excluded.is_archived,
			excluded.is_active, excluded.is_unsafe, excluded.starts_at, excluded.expires_at, excluded.max_clicks, excluded.tags);
		INSERT INTO link_tags (org_id, tag, link_id)
		SELECT NEW.org_id, tag, NEW.id FROM unnest(NEW.tags) AS tag ON CONFLICT DO NOTHING;
	ELSIF TG_OP <> 'INSERT' THEN
		DELETE FROM listed_links WHERE org_id = OLD.org_id AND link_id = OLD.id;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION list_made_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO listed_links (org_id, link_id, searched, title_key, domain_id, is_archived, is_active, is_unsafe, starts_at,
		expires_at, max_clicks, tags)
	SELECT org_id, id, lower(normalize(concat_ws(E'\n', title, slug, default_url, notes))), lower(coalesce(nullif(title, ''), slug)), domain_id,
		is_archived, is_active, safety ->> 'status' = 'unsafe', starts_at, expires_at, max_clicks, tags
	FROM made WHERE kind = 'link' AND deleted_at IS NULL;
	INSERT INTO link_tags (org_id, tag, link_id)
	SELECT DISTINCT org_id, tag, id FROM made, unnest(tags) AS tag WHERE kind = 'link' AND deleted_at IS NULL
	ORDER BY org_id, tag, id;
	RETURN NULL;
END
$$;--> statement-breakpoint
UPDATE listed_links SET searched = normalize(searched) WHERE letters IS NOT NULL AND searched IS NOT NFC NORMALIZED;
