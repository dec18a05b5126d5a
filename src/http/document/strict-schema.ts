/**
 * Converts the contract's schemas to strict JSON Schema 2020-12. TypeBox and Elysia write parts that only they
 * understand: messages under `error`, formats under `documentedFormat`, items that are checked one by one under
 * `documentedItems`, unions of constants for enumerations, unions with text for numbers in a query. A schema with an
 * `$id` becomes a named component, with a `$ref` to it wherever it is used.
 */
import type { Schema } from "./types";

/** Formats with which Elysia marks the text branch of a query value that it converts. */
const TEXT_HALVES = new Set(["integer", "numeric", "boolean", "ObjectString", "ArrayString"]);
const ANY_KEY = "^(.*)$";
/** Prefix of the contract's own formats, which other tools do not know. */
const OWN_FORMAT = "x-";

export class SchemaNames {
  readonly components: Record<string, Schema> = {};
  readonly #descriptions = new Map<string, string | undefined>();

  /** Throws if a name is described in two ways: the component has only one description, which would be wrong elsewhere. */
  strict = (raw: Schema): Schema => {
    const { $id, description } = raw;
    if ($id !== undefined) {
      if (this.#descriptions.has($id) && this.#descriptions.get($id) !== description)
        throw new Error(`Two different descriptions of ${$id}`);
      this.#descriptions.set($id, description);
    }
    return this.strictBody(raw);
  };

  /** Converts the schema of a whole body, whose description the swagger plugin may have dropped. */
  strictBody = (raw: Schema): Schema => {
    const { $id, description, ...rest } = raw;
    if ($id === undefined) return this.#unnamed(raw);
    const component = this.#unnamed(description === undefined ? rest : { description, ...rest });
    const known = this.components[$id] ?? component;
    if (!Bun.deepEquals(ownPart(known), ownPart(component))) {
      throw new Error(`Two different schemas have the name ${$id}`);
    }
    this.components[$id] = { ...component, ...known };
    return { $ref: `#/components/schemas/${$id}` };
  };

  #unnamed(raw: Schema): Schema {
    const { $id, error, documentedFormat, documentedItems, namesKept, tagged, patternProperties, ...schema } = raw;
    if (schema.format?.startsWith(OWN_FORMAT)) delete schema.format;
    // Unlisted fields are accepted only in order to report them (`http/body/unlisted-fields.ts`); they have no meaning.
    if (namesKept) delete schema.additionalProperties;
    if (typeof documentedFormat === "string") {
      schema.format = documentedFormat;
      delete schema.pattern;
    }
    if (documentedItems) schema.items = documentedItems;
    if (schema.$ref && !schema.$ref.startsWith("#")) schema.$ref = `#/components/schemas/${schema.$ref}`;
    const values = patternProperties?.[ANY_KEY];
    if (values) schema.additionalProperties = values;
    else if (patternProperties) schema.patternProperties = mapped(patternProperties, this.strict);
    if (schema.properties) schema.properties = mapped(schema.properties, this.strict);
    if (schema.properties && Object.keys(schema.properties).length === 0) delete schema.properties;
    if (schema.items) schema.items = this.strict(schema.items);
    // Elysia closes a route's own schemas when it first serves the route; unlisted fields are dropped, not rejected.
    if (schema.additionalProperties === false) delete schema.additionalProperties;
    if (typeof schema.additionalProperties === "object") {
      const additional = this.strict(schema.additionalProperties);
      schema.additionalProperties = Object.keys(additional).length === 0 ? true : additional;
    }
    return schema.anyOf ? this.#union(schema, schema.anyOf) : schema;
  }

  #union({ anyOf: _, ...around }: Schema, alternatives: Schema[]): Schema {
    const branches = alternatives.filter((branch) => !isTextHalf(branch)).map(this.strict);
    const constants = branches.filter((branch) => typeof branch.const === "string");
    const nulls = branches.filter((branch) => branch.type === "null");
    const [only, ...others] = branches.filter((branch) => branch.type !== "null");
    if (constants.length > 0 && constants.length + nulls.length === branches.length) {
      const values = constants.map((branch) => branch.const);
      const choice = { type: "string", enum: values };
      // `null` is not added to the values, because client generators create a name for each of them.
      return nulls.length > 0 ? { ...around, anyOf: [choice, ...nulls] } : { ...around, ...choice };
    }
    if (!only || others.length > 0 || (nulls.length > 0 && (typeof only.type !== "string" || only.enum))) {
      return { ...around, anyOf: branches };
    }
    const single = { ...around, ...only };
    return nulls.length === 0 ? single : { ...single, type: [String(only.type), "null"] };
  }
}

const isTextHalf = (branch: Schema): boolean => branch.type === "string" && TEXT_HALVES.has(branch.format ?? "");

function mapped(schemas: Record<string, Schema>, map: (schema: Schema) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema)]));
}

/**
 * Returns the schema without the parts that may differ from place to place: the swagger plugin drops these from an
 * object that is a whole response.
 */
function ownPart({ description, additionalProperties, patternProperties, ...rest }: Schema): Schema {
  return rest;
}
