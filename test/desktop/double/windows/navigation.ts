import type { CDPSession } from 'playwright';

interface Decisions {
  /** Whether a navigation that the page itself has started may replace the main frame. */
  mayGo(url: string): boolean;
  /** Whether a frame may follow a redirection of the server. */
  mayFollow(url: string, isMainFrame: boolean): boolean;
  /** Prepares what the page finds when it starts. */
  prepare(url: string): Promise<void>;
}

/** Asks before a navigation replaces the main frame, and prepares it. */
export async function interceptNavigation(cdp: CDPSession, mainFrame: string, { mayGo, mayFollow, prepare }: Decisions) {
  cdp.on('Fetch.requestPaused', ({ requestId, request, frameId, redirectedRequestId }) => {
    const isMain = frameId === mainFrame;
    const isAllowed = () => {
      if (redirectedRequestId) return mayFollow(request.url, isMain);
      return !isMain || mayGo(request.url);
    };
    const decide = async () => {
      // No content: the page stays.
      if (!isAllowed()) return cdp.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
      if (isMain) await prepare(request.url);
      return cdp.send('Fetch.continueRequest', { requestId });
    };
    decide().catch(() => undefined); // the page has closed in the meantime
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }] });
}
