import type { CDPSession } from 'playwright';

/** Asks `mayGo` before a navigation that the page itself has started replaces the main frame. */
export async function interceptNavigation(cdp: CDPSession, mainFrame: string, mayGo: (url: string) => boolean) {
  cdp.on('Fetch.requestPaused', ({ requestId, request, frameId, redirectedRequestId }) => {
    const needsDecision = frameId === mainFrame && !redirectedRequestId;
    const decision =
      !needsDecision || mayGo(request.url)
        ? cdp.send('Fetch.continueRequest', { requestId })
        : cdp.send('Fetch.fulfillRequest', { requestId, responseCode: 204 }); // no content: the page stays
    decision.catch(() => undefined); // the page has closed in the meantime
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }] });
}
