/**
 * Postgres's types that are read and written as elements of arrays, each with its array type. Their numbers are the same
 * in every Postgres. Without this list, each new connection would ask for them first: one more round trip, and a query
 * that costs Postgres more than most requests do.
 */
export const ARRAY_TYPES = [
  [16, 1000], // boolean
  [17, 1001], // bytea
  [18, 1002], // "char"
  [19, 1003], // name
  [20, 1016], // bigint
  [21, 1005], // smallint
  [23, 1007], // integer
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [700, 1021], // real
  [701, 1022], // double precision
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1114, 1115], // timestamp
  [1184, 1185], // timestamptz
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
] as const;
