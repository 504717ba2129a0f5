import { SharePage } from '#renderer/features/share/share-page.tsx';
import { start } from './start.tsx';

void start(() => <SharePage imageKey={decodeURIComponent(location.pathname.split('/')[2] ?? '')} />);
