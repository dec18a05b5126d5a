-- The order of lists by title: as people sort, in any script. A Postgres without ICU has only the order of the database.
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu' AND collnamespace = 'pg_catalog'::regnamespace) THEN
		CREATE COLLATION waymark_titles FROM "und-x-icu";
	ELSE
		EXECUTE format('CREATE COLLATION waymark_titles (locale = %L)',
			(SELECT datcollate FROM pg_database WHERE datname = current_database()));
	END IF;
END
$$;
