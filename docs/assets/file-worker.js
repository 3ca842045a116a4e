// Workers for pages that are opened as files, for which browsers refuse to start real ones: the script runs in a hidden
// frame and is given the two ways to talk that it expects.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      const start = () => {
        document.body.append(this.frame);
        this.inside = this.frame.contentWindow;
        this.inside.postMessage = (data) => this.receive(data);
        const script = this.frame.contentDocument.createElement("script");
        script.src = new URL(address, location.href).href;
        script.addEventListener("load", () => this.begin());
        this.frame.contentDocument.head.append(script);
      };
      if (document.body) start();
      else addEventListener("DOMContentLoaded", start);
    }

    begin() {
      const waiting = this.waiting;
      this.waiting = null;
      waiting.forEach((data) => this.send(data));
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.send(data);
    }

    send(data) {
      this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }));
    }

    receive(data) {
      const event = new MessageEvent("message", { data });
      setTimeout(() => {
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      });
    }

    terminate() {
      this.frame.remove();
    }
  };
}
