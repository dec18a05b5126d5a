-- Stored figures as psql can read them: the same as the service's own readers, which a test holds these against.
CREATE FUNCTION waymark_dimension(code integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE code
    WHEN 0 THEN 'platform'
    WHEN 1 THEN 'country'
    WHEN 2 THEN 'city'
    WHEN 3 THEN 'device'
    WHEN 4 THEN 'browser'
    WHEN 5 THEN 'os'
    WHEN 6 THEN 'referrer'
    WHEN 7 THEN 'language'
    WHEN 8 THEN 'open_platform'
    WHEN 9 THEN 'open_source'
    WHEN 10 THEN 'region'
    WHEN 11 THEN 'utmSource'
    WHEN 12 THEN 'utmMedium'
    WHEN 13 THEN 'utmCampaign'
    WHEN 14 THEN 'utmTerm'
    WHEN 15 THEN 'utmContent'
    WHEN 16 THEN 'rule'
    WHEN 17 THEN 'split'
    WHEN 18 THEN 'destination'
    WHEN 19 THEN 'domain'
  END
$$;--> statement-breakpoint
CREATE FUNCTION waymark_counts(packed bytea) RETURNS TABLE (dimension text, value_id integer, count integer)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  -- A copy, or each byte of a compressed value would decompress all of it.
  bytes bytea := packed || ''::bytea;
  size integer := length(bytes);
  -- Two zeros say that six bits are the dimension; older counts have four.
  bits integer := CASE WHEN substring(bytes FOR 2) = '\x0000'::bytea THEN 6 ELSE 4 END;
  at integer := CASE WHEN bits = 6 THEN 2 ELSE 0 END;
  key bigint := 0;
  number bigint;
  shift integer;
  byte integer;
BEGIN
  WHILE at < size LOOP
    FOR part IN 1..2 LOOP
      number := 0;
      shift := 0;
      LOOP
        byte := CASE WHEN at < size THEN get_byte(bytes, at) ELSE 0 END;
        at := at + 1;
        number := number | ((byte & 127)::bigint << shift);
        EXIT WHEN byte < 128;
        shift := shift + 7;
      END LOOP;
      IF part = 1 THEN key := key + number; END IF;
    END LOOP;
    dimension := waymark_dimension((key & ((1 << bits) - 1))::integer);
    value_id := key >> bits;
    count := (number >> 1) # -(number & 1);
    RETURN NEXT;
  END LOOP;
END
$$;--> statement-breakpoint
-- Distinct visitors; null for what is no sketch. Estimated as src/figures/uniques-registers.ts says, from what each rank comes to.
CREATE FUNCTION waymark_uniques(sketch bytea) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  bytes bytea := sketch || ''::bytea;
  size integer := length(bytes);
  precision_of integer;
  registers integer;
  ranks integer;
  counts integer[];
  four integer;
  rank integer;
  total float8;
  previous float8;
  x float8;
  part float8;
  weight float8;
  correction float8;
BEGIN
  IF size < 4 OR get_byte(bytes, 0) <> 1 THEN RETURN NULL; END IF;
  precision_of := get_byte(bytes, 2);
  IF precision_of NOT BETWEEN 4 AND 16 THEN RETURN NULL; END IF;
  registers := 1 << precision_of;
  IF get_byte(bytes, 1) = 0 THEN
    RETURN CASE WHEN (size - 4) % 8 = 0 AND (size - 4) / 8 <= registers * 6 / 8 / 8 THEN (size - 4) / 8 END;
  END IF;
  IF get_byte(bytes, 1) <> 1 OR size - 4 <> registers * 6 / 8 THEN RETURN NULL; END IF;

  ranks := 64 - precision_of;
  counts := array_fill(0, ARRAY[64], ARRAY[0]);
  FOR at IN 4..size - 1 BY 3 LOOP
    four := (get_byte(bytes, at) << 16) | (get_byte(bytes, at + 1) << 8) | get_byte(bytes, at + 2);
    FOR place IN 0..3 LOOP
      rank := (four >> (6 * place)) & 63;
      counts[rank] := counts[rank] + 1;
    END LOOP;
  END LOOP;

  -- Registers that are full.
  x := 1 - counts[ranks + 1]::float8 / registers;
  correction := 0;
  IF x <> 0 AND x <> 1 THEN
    weight := 1;
    total := 1 - x;
    LOOP
      previous := total;
      x := sqrt(x);
      weight := weight * 0.5;
      total := total - (1 - x) * (1 - x) * weight;
      EXIT WHEN previous = total;
    END LOOP;
    correction := total / 3;
  END IF;
  part := registers * correction;

  FOR each IN REVERSE ranks..1 LOOP
    part := 0.5 * (part + counts[each]);
  END LOOP;

  -- Registers that are empty.
  x := counts[0]::float8 / registers;
  IF x = 1 THEN RETURN 0; END IF;
  weight := 1;
  total := x;
  -- Below 1e-150 nothing is added any more, and a square of it would be an underflow.
  WHILE x > 1e-150 LOOP
    previous := total;
    x := x * x;
    total := total + x * weight;
    weight := weight + weight;
    EXIT WHEN previous = total;
  END LOOP;
  part := part + registers * total;
  -- No visitors fill every register.
  IF part = 0 THEN RETURN NULL; END IF;
  RETURN floor(registers::float8 * registers / (2 * ln(2::float8) * part) + 0.5);
END
$$;
