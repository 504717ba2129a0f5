import type { Schema } from './schema.ts';

/** An operation of the OpenAPI document. */
export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

export interface Placed {
  path: string;
  method: string;
  operation: Operation;
}
