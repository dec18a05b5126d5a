/** The part of OpenAPI 3.1 and JSON Schema that the document uses. */
import type { Role, Scope, TokenScope } from "@/contract/accounts/access";
import type { CACHED } from "../headers/entity-tag";

export interface Schema {
  $id?: string;
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  documentedItems?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
  contentMediaType?: string;
  [keyword: string]: unknown;
}

export interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface DocumentParameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  examples?: unknown[];
  schema: Schema;
}

interface Described {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: DocumentParameter[];
  "x-access"?: Access;
}

/** Exactly one of these is set on every route; see `http/access.ts`. */
export interface Access {
  public?: true;
  /** Callers on the machine itself, or with the operator's token. */
  operator?: true;
  user?: true;
  /** Minimum role of a member. */
  member?: Role;
  /** With `member`: an access token needs one of these scopes; an empty list excludes access tokens. */
  scopes?: readonly TokenScope[];
  /** Scope that an API key needs. */
  apiKey?: Scope;
}

/** A response as the swagger plugin writes it: the schema's own keywords, including `$id`, are next to `content`. */
export interface GatheredResponse {
  $id?: string;
  tagged?: boolean;
  description?: string;
  content?: Record<string, MediaType>;
}

/** Marks an operation that may be called without a body. */
export const OPTIONAL_BODY = "x-optional-body";

/** Holds the schema of the parts of an operation that accepts `multipart/form-data`. */
export const UPLOAD_BODY = "x-upload-body";

/** Holds the schema of the JSON body that such an operation accepts instead. */
export const UPLOAD_JSON = "x-upload-json";

export interface GatheredOperation extends Described {
  [OPTIONAL_BODY]?: boolean;
  [CACHED]?: boolean;
  [UPLOAD_BODY]?: Schema;
  [UPLOAD_JSON]?: Schema;
  requestBody?: { content?: Record<string, MediaType> };
  responses?: Record<string, GatheredResponse>;
}

export interface GatheredDocument {
  paths: Record<string, Record<string, GatheredOperation>>;
}

export interface Header {
  description: string;
  schema: Schema;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | { $ref: string }>;
  content?: Record<string, MediaType>;
}

export interface Operation extends Described {
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response | { $ref: string }>;
}

/** A request that the service sends to a customer's endpoint. */
export interface WebhookOperation extends Described {
  requestBody: { required: true; content: Record<string, MediaType> };
  responses: Record<string, Response>;
}

export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string; contact: { name: string; url: string } };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: WebhookOperation }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, Record<string, string>>;
  };
}
