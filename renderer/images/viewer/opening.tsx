import type { CSSProperties } from 'react';
import { type Placeheld, Placeholder } from './placeholder.tsx';
import { ViewerDialog } from './viewer-dialog.tsx';
import classes from './viewer-frame.module.css';

/** What is known of an image that was pressed. */
export type Pressed = Placeheld & { name: string | null; width: number; height: number };

interface Props {
  image: Pressed;
  /** Leaves room for the details in a wide window. */
  details?: boolean;
  onClose: () => void;
}

/** The viewer until its own code is there: it can be closed, names the image and shows it in its place, as far as it is known. */
export function Opening({ image: { name, width, height, ...image }, details, onClose }: Props) {
  const shape = { '--ratio': width / Math.max(1, height), '--natural': `${width}px` } as CSSProperties;
  return (
    <ViewerDialog name={name ?? undefined} onClose={onClose}>
      <div className={classes.opening} style={shape} data-details={details} aria-busy="true">
        <div className={classes.picture}>
          <Placeholder image={image} />
        </div>
      </div>
    </ViewerDialog>
  );
}
