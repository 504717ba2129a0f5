import { SharePage } from '#renderer/features/share/share-page.tsx';
import { loadViewerTexts, start } from './start.tsx';

loadViewerTexts();
void start(() => <SharePage imageKey={decodeURIComponent(location.pathname.split('/')[2] ?? '')} />);
