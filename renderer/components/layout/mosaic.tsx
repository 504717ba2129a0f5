import classes from './mosaic.module.css';

/** A wall of picture frames, as decoration. `inset`: how far it lies outside its container, in CSS. */
export function Mosaic({ inset }: { inset: string }) {
  return (
    <div className={classes.mosaic} style={{ inset }} aria-hidden="true">
      {Array.from({ length: 19 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: frames that never change
        <span key={index} />
      ))}
    </div>
  );
}
