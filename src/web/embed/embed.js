/* Map Locations: gives frames of maps with ?height=auto the height that they ask for. Version 1 of the messages. */
(() => {
  // Only frames of the server that this script comes from.
  const server = new URL('.', document.currentScript.src).href;
  addEventListener('message', ({ data, source }) => {
    if (data?.source !== 'map-locations' || data.type !== 'height' || !Number.isFinite(data.height)) return;
    for (const frame of document.querySelectorAll('iframe')) {
      if (frame.contentWindow === source && frame.src.startsWith(server))
        frame.style.height = `${data.height}px`;
    }
  });
})();
