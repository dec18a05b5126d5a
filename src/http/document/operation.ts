/** Builds one operation of the document from what its route declares. */
import type { Role } from "@/contract/accounts/access";
import { CACHED } from "../headers/entity-tag";
import { failureReference, successResponse, UNCHANGED } from "./answers";
import { type Example, exampleOf } from "./example";
import type { SchemaNames } from "./strict-schema";
import {
  type Access,
  type DocumentParameter,
  type GatheredOperation,
  type GatheredResponse,
  type MediaType,
  OPTIONAL_BODY,
  type Operation,
  type Schema,
  UPLOAD_BODY,
  UPLOAD_JSON,
} from "./types";
import { pathParameter } from "./vocabulary";

/**
 * Returned by the code around the routes rather than by a route: a query or a body that cannot be read, an internal
 * error, a limit, an unavailable dependency. Every request's query is read, and every body of one that may have one.
 */
const FRAME_FAILURES = ["400", "500"];
const FRAME_FAILURES_WITH_BODY = ["413", "415"];
const FRAME_FAILURES_SIGNED_IN = ["429", "503"];

const JSON_TYPE = "application/json";
const UPLOAD_TYPE = "multipart/form-data";
const TEXTUAL = /^text\//;

export class OperationMaker {
  /** Bodies without an example, with the fields that lack one. */
  readonly gaps: string[] = [];

  constructor(private readonly names: SchemaNames) {}

  make(place: string, gathered: GatheredOperation): Operation {
    const {
      parameters,
      requestBody,
      responses,
      "x-access": access,
      [OPTIONAL_BODY]: isOptional,
      [CACHED]: isCached = false,
      [UPLOAD_BODY]: upload,
      [UPLOAD_JSON]: json,
      ...described
    } = gathered;
    const body = requestBody?.content?.[JSON_TYPE]?.schema;
    return {
      ...described,
      description: [described.description, accessSentence(access)].filter(Boolean).join("\n\n") || undefined,
      ...(parameters && { parameters: parameters.map((parameter) => this.#parameter(parameter)) }),
      ...(body && { requestBody: { required: !isOptional, content: this.#content(`${place} body`, body) } }),
      ...(upload && {
        requestBody: {
          required: true,
          content: {
            [UPLOAD_TYPE]: { schema: this.names.strict(upload) },
            ...(json && this.#content(`${place} body`, json)),
          },
        },
      }),
      responses: this.#responses(place, responses ?? {}, {
        isSignedIn: described.security?.length !== 0 && !access?.operator,
        isCached,
        mayHaveBody: !place.startsWith("GET "),
      }),
    };
  }

  #parameter({ name, in: where, required, description, examples, schema }: DocumentParameter): DocumentParameter {
    const path = where === "path" ? pathParameter(name) : undefined;
    const strict = this.names.strict(schema);
    const { description: own, ...rest } = strict;
    const shown = examples ?? path?.examples;
    return {
      name,
      in: where,
      ...(required && { required }),
      description: description ?? own ?? path?.description,
      schema: { ...rest, ...(shown && { examples: shown }) },
    };
  }

  #responses(
    place: string,
    gathered: Record<string, GatheredResponse>,
    told: { isSignedIn: boolean; isCached: boolean; mayHaveBody: boolean },
  ): Operation["responses"] {
    const responses: Operation["responses"] = {};
    for (const [status, response] of Object.entries(gathered)) {
      const schema = bodyOf(response);
      responses[status] =
        failureReference(status) ??
        successResponse(status, response.description, schema && this.#content(`${place} ${status}`, schema), {
          ...told,
          isTagged: response.tagged === true,
        });
    }
    if (told.isCached) responses["304"] = UNCHANGED;
    const frameFailures = [
      ...FRAME_FAILURES,
      ...(told.mayHaveBody ? FRAME_FAILURES_WITH_BODY : []),
      ...(told.isSignedIn ? FRAME_FAILURES_SIGNED_IN : []),
    ];
    for (const status of frameFailures) {
      const failure = failureReference(status);
      if (failure) responses[status] ??= failure;
    }
    return responses;
  }

  /**
   * Describes a body. `contentMediaType` on a schema names a media type other than JSON; a binary body is described
   * only by that name.
   */
  #content(place: string, schema: Schema): Record<string, MediaType> {
    const mediaType = schema.contentMediaType ?? JSON_TYPE;
    if (mediaType !== JSON_TYPE && !TEXTUAL.test(mediaType)) return { [mediaType]: {} };
    const strict = this.names.strictBody(schema);
    return { [mediaType]: { schema: strict, ...this.#example(place, strict) } };
  }

  #example(place: string, schema: Schema): Pick<MediaType, "example"> {
    const example: Example = exampleOf(schema, this.names.components);
    if ("value" in example) return { example: example.value };
    this.gaps.push(...example.gaps.map((gap) => `${place}: ${gap || "whole"}`));
    return {};
  }
}

function bodyOf({ $id, content }: GatheredResponse): Schema | undefined {
  const schema = content?.[JSON_TYPE]?.schema;
  return schema && { ...schema, ...($id !== undefined && { $id }) };
}

function accessSentence(access: Access | undefined): string | undefined {
  if (access?.operator) return "For callers on the machine itself, and for operators who send `METRICS_TOKEN`.";
  if (access?.user) return NO_ACCESS_TOKENS;
  if (access?.member) return `${roleSentence(access.member)} ${scopeSentence(access.scopes ?? [])}`;
  return access?.apiKey && `Requires an API key with the scope \`${access.apiKey}\`.`;
}

const roleSentence = (role: Role): string =>
  role === "owner" ? "Requires the role `owner`." : `Requires the role \`${role}\` or above.`;

function scopeSentence(scopes: readonly string[]): string {
  if (scopes.length === 0) return NO_ACCESS_TOKENS;
  return `Access tokens need the scope ${scopes.map((scope) => `\`${scope}\``).join(" or ")}.`;
}

const NO_ACCESS_TOKENS = "Requires a session; access tokens are refused.";
