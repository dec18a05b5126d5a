-- The domain of clicks from before their rows said it. It is asked of a function, which a server without the links answers with nothing:
-- where the clicks are spread over machines, those rows are given their domain beforehand.
CREATE FUNCTION waymark_domain_of(link uuid) RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE STRICT COST 1000 AS $$
BEGIN
	IF to_regclass('links') IS NULL THEN RETURN NULL; END IF;
	RETURN (SELECT links.domain_id FROM links WHERE links.id = link);
END
$$;
