/** The bytes that are served: `contentOf(fetch(url))`. */
export const contentOf = async (response: Response | Promise<Response>) => Buffer.from(await (await response).arrayBuffer());
